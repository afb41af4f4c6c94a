"""Forward dynamics by the principle of virtual work [Yamane1999]."""
