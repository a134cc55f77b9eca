"""The relay: questions are laid out as files instead of sent, and any mind at hand may answer them.

Everything behind the port `Asks` can use it. No network, no provider, no key; what a question means is the asker's business.
"""
