-- Prices have as many decimals as their currency: three in dinars, none in yen.
alter table dishes alter column price type numeric;
