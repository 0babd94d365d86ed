import '../api/whole-menu/import-model.test.ts';
