import '../api/exclude-allergens.test.ts';
