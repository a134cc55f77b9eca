"""The embedded reader: prose to records offline, without a key, the same each time. Never meets the model reader."""
