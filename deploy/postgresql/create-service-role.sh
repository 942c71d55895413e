#!/usr/bin/env bash
# Runs once, when the data volume is empty. The service owns its database and is not a superuser.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE document_service LOGIN PASSWORD :'password';
-- Through a pooler, the service cannot set these itself.
ALTER ROLE document_service SET statement_timeout = '10s';
ALTER ROLE document_service SET lock_timeout = '3s';
CREATE DATABASE document_service OWNER document_service;
REVOKE CONNECT ON DATABASE document_service FROM PUBLIC;
SQL
