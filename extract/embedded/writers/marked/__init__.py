"""What the page marks beside the deeds themselves: why they are done and felt, what is forbidden, and when it is said to be."""
