// PipelineText
