import '../api/import-model.test.ts';
