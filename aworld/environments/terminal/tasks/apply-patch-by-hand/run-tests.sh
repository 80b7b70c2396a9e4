#!/bin/bash
# Prints what pytest -rA would, without needing pytest.
python3 -I "$TEST_DIR/test_outputs.py"
