-- \set password …, then this file, as a superuser: the role that owns the tables and migrates them, and its database. It is
-- no superuser; CREATEROLE is for the three roles that serve, which the first migration makes.
CREATE ROLE gatehouse LOGIN CREATEROLE NOSUPERUSER NOCREATEDB PASSWORD :'password';
CREATE DATABASE gatehouse OWNER gatehouse ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8' TEMPLATE template0;
REVOKE ALL ON DATABASE gatehouse FROM PUBLIC;
