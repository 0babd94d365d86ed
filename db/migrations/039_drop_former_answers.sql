-- Workers store rules instead of sentences, which the answers for gateways from before migration 016 were made of.
drop trigger answer_former_gateways on writes;
drop function answer_former_gateways();
