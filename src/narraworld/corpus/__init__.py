"""Many stories at once: a kernel that reads one without a store, buckets of Parquet, and one lifted program over all of them."""
