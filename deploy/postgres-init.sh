#!/bin/sh
# Makes the role and the database that Tata uses. A role that is no superuser: row-level security holds for it.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --set password="$TATA_PASSWORD" <<'SQL'
CREATE ROLE tata LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE tata OWNER tata;
SQL
