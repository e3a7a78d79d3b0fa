echo "{\"success\":true,\"data\":{}}"
