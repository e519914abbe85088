/// The number of messages that `digestBlocks` digests at once, one in each lane of a vector.
package let digestMessageCount = 16
