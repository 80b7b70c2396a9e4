#!/bin/bash
# The reward is 1 only where every check holds.
if python3 -I /tests/check.py 2>&1; then reward=1; else reward=0; fi
echo "$reward" > /logs/verifier/reward.txt
