package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A plugin that returns null is named, with the call, in what the object's explanation says. */
class NullAnswersTest {
    private static final String DRIVER = "careless.example.com";

    private final ControlBench bench = new ControlBench();

    private String text(ObjectKey key) {
        bench.loop.advance(Duration.ofMinutes(1));
        return bench.explain(key).text();
    }

    private static String blamed(String call) {
        return "plugin " + DRIVER + " returned null from " + call;
    }

    @Test
    void provision() {
        bench.plugins.add(new Careless());
        bench.given(
                        Classes.storageClass("careless", DRIVER),
                        claim("c").ofClass("careless").made())
                .start();
        assertThat(text(key("c"))).contains(blamed("provision"), "it must return a result");
    }

    @Test
    void expand() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.EXPAND, ControllerFeature.MODIFY));
        bench.plugins.add(new Careless());
        bench.given(
                        Classes.storageClass("careless", DRIVER),
                        volume("v")
                                .source(CsiSource.of(DRIVER, "h", "", Map.of()))
                                .ofClass("careless")
                                .made(),
                        claim("c").ofClass("careless").made())
                .startAndSettle();
        bench.patch(key("c"), false, FieldChange.set("90Gi", "spec", "resources", "requests", "storage"));
        assertThat(text(key("c"))).contains(blamed("expand"));
    }

    @Test
    void health() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.HEALTH));
        bench.plugins.add(new Careless());
        bench.given(
                        volume("v")
                                .source(CsiSource.of(DRIVER, "h", "", Map.of()))
                                .made(),
                        claim("c").made())
                .start();
        assertThat(text(key("c")) + text(ObjectKey.volume("v"))).contains(blamed("health"));
    }

    private static final class Careless implements VolumePlugin {
        @Override
        public String name() {
            return DRIVER;
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource csi && csi.driver().equals(DRIVER);
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return ((CsiSource) spec.source()).volumeHandle();
        }

        @Override
        public Optional<Provisioner> provisioner(StorageClass storageClass) {
            return Optional.of((request, context) -> nothing());
        }

        @Override
        public Optional<Expander> expander(VolumeSpec spec) {
            return Optional.of((request, context) -> nothing());
        }

        @Override
        public Optional<HealthReporter> health() {
            return Optional.of((VolumeId id, io.volume4j.spi.CallContext context) -> nothing());
        }

        /** What a plugin that was compiled without null checks may return. */
        @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
        private static <T> T nothing() {
            return null;
        }
    }
}
