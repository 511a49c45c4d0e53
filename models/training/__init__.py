"""How the small models that ship with Headroom are made: corpus, tokenizer, decoder, training."""
