"""What the page marks beside the deeds themselves: why they are done and felt, and what is forbidden."""
