"""Forward dynamics by the principle of virtual work [Yamane2001]."""
