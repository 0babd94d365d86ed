import '../api/public/exclude-allergens.test.ts';
