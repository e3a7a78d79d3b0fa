echo '{"success": true, "data": {}}'
