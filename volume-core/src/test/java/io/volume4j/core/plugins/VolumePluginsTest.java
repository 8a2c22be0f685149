package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolumePluginsTest {
    private static final Map<String, VolumeSource> SOURCES = sources();

    private static Map<String, VolumeSource> sources() {
        Map<String, VolumeSource> sources = new LinkedHashMap<>();
        sources.put(LoopPlugin.NAME, Given.loop("pvc-1"));
        sources.put(NfsPlugin.NAME, new NfsSource("files", "/export", false));
        sources.put(IscsiPlugin.NAME, IscsiSource.of("10.0.0.1:3260", "iqn.2003-01.org.example:disk", 0, ""));
        sources.put(FcPlugin.NAME, new FcSource(List.of("500a0982991b8dc5"), 0, "", false, List.of()));
        sources.put(LocalPlugin.NAME, new LocalSource("/mnt/disk", ""));
        sources.put(HostPathPlugin.NAME, new HostPathSource("/data", ""));
        sources.put(EmptyDirPlugin.NAME, new EmptyDirSource("", null));
        sources.put("kubernetes.io/configmap", new OtherSource("configMap", Map.of()));
        sources.put("kubernetes.io/downward-api", new OtherSource("downwardAPI", Map.of()));
        sources.put("kubernetes.io/projected", new OtherSource("projected", Map.of()));
        sources.put(ImagePlugin.NAME, new OtherSource("image", Map.of()));
        sources.put("kubernetes.io/secret", new OtherSource("secret", Map.of()));
        return sources;
    }

    @Test
    void loadAllWithoutAProblemOnNodesAndInControlPlanes() {
        for (DefaultPluginHost host : new DefaultPluginHost[] {
            DefaultPluginHost.builder(Path.of("/var/lib/volume4j")).build(),
            DefaultPluginHost.builder(Path.of("/var/lib/volume4j"))
                    .nodeName("node-1")
                    .mounts(new FakeMachine())
                    .build()
        }) {
            PluginRegistry registry = PluginRegistry.builder(host)
                    .defaults(VolumePlugins.defaultPlugins())
                    .build();

            assertThat(registry.loadFailure()).isEmpty();
            assertThat(registry.plugins())
                    .extracting(VolumePlugin::name)
                    .containsExactlyInAnyOrderElementsOf(SOURCES.keySet());
        }
    }

    @Test
    void takeEachTheirOwnSourceAndNoOther() {
        PluginRegistry registry = PluginRegistry.builder(
                        DefaultPluginHost.builder(Path.of("/var/lib/volume4j")).build())
                .defaults(VolumePlugins.defaultPlugins())
                .build();

        SOURCES.forEach((name, source) -> {
            VolumeSpec spec = Given.volume(source, VolumeMode.FILESYSTEM);
            assertThat(registry.find(spec).name()).isEqualTo(name);
            assertThat(registry.plugins().stream()
                            .filter(plugin -> plugin.supports(spec))
                            .map(VolumePlugin::name))
                    .containsExactly(name);
        });
        assertThat(registry.plugins())
                .noneMatch(plugin -> plugin.supports(
                        Given.volume(CsiSource.of("other.example", "v", "", Map.of()), VolumeMode.FILESYSTEM)));
    }

    @Test
    void areAFreshSetEachTimeBecauseAPluginBelongsToOneRegistry() {
        assertThat(VolumePlugins.defaultPlugins()).doesNotContainAnyElementsOf(VolumePlugins.defaultPlugins());
    }
}
