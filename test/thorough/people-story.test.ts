import '../browser/people-story.test.ts';
