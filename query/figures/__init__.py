"""How results show themselves: drawings as SVG, tables for notebooks, plain data for programs. Values in, text out; knows no library but pandas, when asked."""
