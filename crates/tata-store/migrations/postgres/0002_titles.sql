-- Titles are searched by the program, which knows more about letters than the databases do, and alike in both.
ALTER TABLE sessions DROP COLUMN title_folded;
