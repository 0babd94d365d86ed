import '../api/bulk-model.test.ts';
