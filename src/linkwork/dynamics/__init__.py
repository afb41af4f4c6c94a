"""The public face: validate, pick a method, launch, raise."""
