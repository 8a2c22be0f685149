package io.volume4j.core.plugins.registry;

import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The host for plugins. Records every secret that a plugin reads, for the duration of the plugin's call. */
public record SecretTrackingHost(PluginHost host, ActiveSecrets confidence) implements PluginHost {
    @Override
    public SecretResolver secrets() {
        return confidence.watched(host.secrets());
    }

    @Override
    public String nodeName() {
        return host.nodeName();
    }

    @Override
    public Path root() {
        return host.root();
    }

    @Override
    public Path pluginDirectory(String pluginName) {
        return host.pluginDirectory(pluginName);
    }

    @Override
    public Map<String, Quantity> allocatable() {
        return host.allocatable();
    }

    @Override
    public Optional<MountBackend> mounts() {
        return host.mounts();
    }

    @Override
    public Optional<FormatAndMount> formatAndMount() {
        return host.formatAndMount();
    }

    @Override
    public ConfigResolver configs() {
        return host.configs();
    }

    @Override
    public CertificateResolver certificates() {
        return confidence.watched(host.certificates());
    }

    @Override
    public InstantSource clock() {
        return host.clock();
    }

    @Override
    public long nanoTime() {
        return host.nanoTime();
    }
}
