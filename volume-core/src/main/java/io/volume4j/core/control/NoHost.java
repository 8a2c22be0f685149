package io.volume4j.core.control;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** A host without any services, for plugins that need none. */
record NoHost() implements PluginHost {
    @Override
    public String nodeName() {
        return "";
    }

    @Override
    public Path root() {
        throw new UnsupportedOperationException("a provisioner has no root");
    }

    @Override
    public Path pluginDirectory(String pluginName) {
        throw new UnsupportedOperationException("a provisioner has no root");
    }

    @Override
    public Optional<MountBackend> mounts() {
        return Optional.empty();
    }

    @Override
    public Optional<FormatAndMount> formatAndMount() {
        return Optional.empty();
    }

    @Override
    public SecretResolver secrets() {
        return reference -> {
            throw VolumeException.finalFailure("this process resolves no secrets");
        };
    }

    @Override
    public ConfigResolver configs() {
        return new ConfigResolver() {
            @Override
            public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
                return Optional.empty();
            }

            @Override
            public Token token(TokenRequest request) {
                throw VolumeException.finalFailure("this process gives no tokens");
            }
        };
    }

    @Override
    public InstantSource clock() {
        return () -> Instant.EPOCH;
    }
}
