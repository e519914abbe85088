// SimulatedSensor
