"""The shapes of the models: one decoder, four numbers of KV heads, the same parameter count."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class DecoderConfig:
    """A Llama-style decoder; the fields are the keys of `headroom.decoder` in a checkpoint."""

    kv_heads: int
    hidden: int
    width: int = 64
    layers: int = 5
    q_heads: int = 8
    head_dim: int = 8
    vocabulary: int = 512
    max_length: int = 512
    rope_base: float = 10000.0
    norm_epsilon: float = 1e-5
    rope_layout: str = "neighbouring"
    shared_classifier: bool = True

    @property
    def group_size(self):
        return self.q_heads // self.kv_heads

    def shapes(self):
        """Every tensor of a checkpoint and its shape; matrices are [out, in]."""
        q_width = self.q_heads * self.head_dim
        kv_width = self.kv_heads * self.head_dim
        shapes = {"model.embed_tokens.weight": (self.vocabulary, self.width)}
        for layer in range(self.layers):
            name = f"model.layers.{layer}."
            shapes[name + "input_layernorm.weight"] = (self.width,)
            shapes[name + "self_attn.q_proj.weight"] = (q_width, self.width)
            shapes[name + "self_attn.k_proj.weight"] = (kv_width, self.width)
            shapes[name + "self_attn.v_proj.weight"] = (kv_width, self.width)
            shapes[name + "self_attn.o_proj.weight"] = (self.width, q_width)
            shapes[name + "post_attention_layernorm.weight"] = (self.width,)
            shapes[name + "mlp.gate_proj.weight"] = (self.hidden, self.width)
            shapes[name + "mlp.up_proj.weight"] = (self.hidden, self.width)
            shapes[name + "mlp.down_proj.weight"] = (self.width, self.hidden)
        shapes["model.norm.weight"] = (self.width,)
        return shapes

    def parameters(self):
        total = 0
        for shape in self.shapes().values():
            size = 1
            for extent in shape:
                size *= extent
            total += size
        return total

    def cache_bytes_per_token(self, bytes_per_number=2):
        """K and V of one token over all layers (2 bytes per number: fp16 or bf16)."""
        return 2 * self.layers * self.kv_heads * self.head_dim * bytes_per_number

    def as_dict(self):
        return asdict(self)


# Fewer KV heads free parameters; a wider feed-forward spends them (as in Shazeer 2019).
TRAINED = {
    "mha": DecoderConfig(kv_heads=8, hidden=204),
    "gqa4": DecoderConfig(kv_heads=4, hidden=224),
    "gqa2": DecoderConfig(kv_heads=2, hidden=236),
    "mqa": DecoderConfig(kv_heads=1, hidden=240),
}

# Made from `mha` by averaging KV heads (Ainslie et al. 2023): the feed-forward stays as it was.
POOLED = {
    name: DecoderConfig(kv_heads=TRAINED[name].kv_heads, hidden=TRAINED["mha"].hidden)
    for name in ("gqa4", "gqa2", "mqa")
}
