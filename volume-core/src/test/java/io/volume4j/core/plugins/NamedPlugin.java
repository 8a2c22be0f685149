package io.volume4j.core.plugins;

import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A plugin that is nothing but its name and the source types that it takes. */
class NamedPlugin implements VolumePlugin {
    final AtomicInteger inits = new AtomicInteger();
    private final String name;
    private final List<String> types;

    NamedPlugin(String name, String... types) {
        this.name = name;
        this.types = List.of(types);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(PluginHost host) {
        inits.incrementAndGet();
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return types.contains(spec.source().type());
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return spec.name();
    }
}
