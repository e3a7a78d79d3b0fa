"""Returns nothing."""
print('{"success": true, "data": {}}')
