"""These need a real model and minutes: only `make test-model` collects them."""

import os

collect_ignore = [] if "NARRAWORLD_MODEL_PYTHON" in os.environ else ["test_real_model.py"]
