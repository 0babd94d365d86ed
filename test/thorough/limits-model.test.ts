import '../api/limits-model.test.ts';
