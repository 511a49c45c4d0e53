"""GQA and MQA out of a trained MHA model: neighbouring K and V heads are averaged (Ainslie et al. 2023)."""


def pool(config, pooled_config, weights):
    """Weights with fewer KV heads; new head n is the mean of the old heads that its query heads used to read."""
    kv_heads, head_dim = pooled_config.kv_heads, config.head_dim
    pooled = dict(weights)
    for name, weight in weights.items():
        if "k_proj" in name or "v_proj" in name:
            together = weight.reshape(kv_heads, config.kv_heads // kv_heads, head_dim, config.width)
            pooled[name] = together.mean(1).reshape(kv_heads * head_dim, config.width)
    return pooled
