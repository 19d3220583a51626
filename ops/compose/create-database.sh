#!/bin/sh
# The role and the database of Gatehouse, at the first start of the database's volume.
set -eu
psql -v ON_ERROR_STOP=1 -v password=password -U "$POSTGRES_USER" -d postgres -f /create.sql
