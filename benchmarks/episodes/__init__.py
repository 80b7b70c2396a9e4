"""An episode of five model turns with a tool, as a plain program and through the library."""
