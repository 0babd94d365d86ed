import '../api/limits/limits-model.test.ts';
