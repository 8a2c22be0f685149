package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.HealthReporter.Finding;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.HealthReporter.Kind;
import io.volume4j.spi.plugin.HealthReporter.SeenBy;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Claims are told how their volumes are. */
class HealthTest {
    private final ControlBench bench = new ControlBench();
    private final Doctor doctor = new Doctor();

    HealthTest() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.HEALTH));
        bench.plugins.add(doctor);
        bench.given(
                GivenVolume.volume("v")
                        .source(CsiSource.of("doctor.example.com", "h", "", Map.of()))
                        .made(),
                claim("c").made());
    }

    @Test
    void saysNothingAboutAVolumeThatIsWell() {
        bench.start();
        pass(Duration.ofMinutes(1));
        int writes = bench.writes().size();
        pass(Duration.ofMinutes(30));

        assertThat(doctor.asked).as("once and then every five minutes").isBetween(5, 8);
        assertThat(bench.writes()).hasSize(writes);
        assertThat(bench.told(key("c"))).isEmpty();
    }

    @Test
    void tellsTheClaimOnceThatItsVolumeIsNotWellAndOnceThatItIsAgain() {
        bench.start();
        pass(Duration.ofMinutes(1));
        doctor.says = new Health(true, "a disk of the mirror is gone");
        pass(Duration.ofMinutes(20));
        assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal");
        assertThat(condition())
                .isEqualTo(Map.of(
                        "type", "volume4j.io/VolumeHealthy",
                        "status", "False",
                        "reason", "VolumeConditionAbnormal",
                        "message", "a disk of the mirror is gone"));

        doctor.says = new Health(true, "both disks of the mirror are gone");
        pass(Duration.ofMinutes(10));
        assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal", "VolumeConditionAbnormal");
        assertThat(condition()).containsEntry("message", "both disks of the mirror are gone");

        doctor.says = new Health(false, "");
        pass(Duration.ofMinutes(20));
        assertThat(bench.told(key("c")))
                .containsExactly("VolumeConditionAbnormal", "VolumeConditionAbnormal", "VolumeConditionNormal");
        assertThat(condition()).containsEntry("status", "True");
    }

    @Test
    void tellsNothingAnewThatAnEarlierProcessToldAsItIs() {
        bench.start();
        doctor.says = new Health(true, "a disk of the mirror is gone");
        pass(Duration.ofMinutes(10));
        doctor.says = new Health(false, "");
        pass(Duration.ofMinutes(10));
        assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal", "VolumeConditionNormal");

        bench.kill();
        bench.start();
        pass(Duration.ofMinutes(20));
        assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal", "VolumeConditionNormal");
    }

    @Test
    void takesSilenceForNothing() {
        bench.start();
        pass(Duration.ofMinutes(1));
        doctor.silent = true;
        pass(Duration.ofMinutes(30));

        assertThat(bench.told(key("c"))).isEmpty();
    }

    @Test
    void keepsWhatWasSaidWhenThePluginCannotSayAnythingAnyMore() {
        bench.start();
        doctor.says = new Health(true, "a disk of the mirror is gone");
        pass(Duration.ofMinutes(10));
        doctor.says = Health.notReported();
        pass(Duration.ofMinutes(30));

        assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal");
        assertThat(condition()).containsEntry("status", "False");
    }

    @Test
    void takesAPluginThatReportsNothingForNothing() {
        doctor.says = Health.notReported();
        bench.start();
        pass(Duration.ofMinutes(30));

        assertThat(doctor.asked).as("less and less often").isBetween(2, 4);
        assertThat(bench.told(key("c"))).isEmpty();
        assertThat(conditions()).isEmpty();
    }

    @Test
    void isQuietBetweenTheBeginningAndTheEndOfAFindingWhateverItsWords() {
        bench.start();
        pass(Duration.ofMinutes(1));
        for (int percent = 0; percent < 50; percent += 10) {
            doctor.says = rebuilding(percent + " percent");
            pass(Duration.ofMinutes(6));
        }
        assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal");
        assertThat(condition()).containsEntry("message", "controller: degraded (Rebuilding): 0 percent");

        List<Finding> both = new ArrayList<>(rebuilding("60 percent").findings());
        both.add(new Finding(Kind.DATA_LOSS, SeenBy.CONTROLLER, "BadSectors", ""));
        doctor.says = new Health(true, both);
        pass(Duration.ofMinutes(6));
        assertThat(bench.told(key("c"))).hasSize(2);
        assertThat(condition())
                .containsEntry(
                        "message", "controller: degraded (Rebuilding): 60 percent; controller: data loss (BadSectors)");
    }

    private static Health rebuilding(String message) {
        return new Health(true, List.of(new Finding(Kind.DEGRADED, SeenBy.CONTROLLER, "Rebuilding", message)));
    }

    @Test
    void keepsTheConditionsOfOthers() {
        bench.start();
        pass(Duration.ofMinutes(1));
        Map<String, String> foreign = Map.of("type", "Resizing", "status", "True");
        bench.cluster.patch(
                key("c"),
                new Patch(
                        Preconditions.of(bench.claim("c").metadata()),
                        true,
                        List.of(FieldChange.set(List.of(foreign), "status", "conditions"))));

        doctor.says = new Health(true, "bad");
        pass(Duration.ofMinutes(10));

        assertThat(conditions()).hasSize(2).contains(foreign);
    }

    @Nested
    class OfAPluginThatLists {
        OfAPluginThatLists() {
            doctor.lists = true;
            bench.given(
                    GivenVolume.volume("v2")
                            .source(CsiSource.of("doctor.example.com", "h2", "", Map.of()))
                            .made(),
                    claim("c2").made());
        }

        @Test
        void asksForTheListAndForNoVolumeThatIsWell() {
            bench.start();
            pass(Duration.ofMinutes(31));

            assertThat(doctor.listed).as("once and then every five minutes").isBetween(6, 8);
            assertThat(doctor.asked).isZero();
            assertThat(bench.told(key("c"))).isEmpty();
        }

        @Test
        void tellsTheClaimWhatTheListSays() {
            bench.start();
            pass(Duration.ofMinutes(1));
            doctor.list = Map.of("h", rebuilding("10 percent"));
            pass(Duration.ofMinutes(20));

            assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal");
            assertThat(bench.told(key("c2"))).isEmpty();
            assertThat(doctor.asked).isZero();
        }

        @Test
        void asksForTheVolumeItselfBeforeItTellsThatItIsWellAgain() {
            doctor.says = rebuilding("20 percent");
            doctor.list = Map.of("h", rebuilding("10 percent"));
            bench.start();
            pass(Duration.ofMinutes(6));
            doctor.list = Map.of();
            pass(Duration.ofMinutes(20));
            assertThat(bench.told(key("c"))).as("missed by the list").containsExactly("VolumeConditionAbnormal");
            assertThat(doctor.asked).isPositive();

            doctor.says = Health.well();
            pass(Duration.ofMinutes(6));
            assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal", "VolumeConditionNormal");
        }

        @Test
        void asksForTheVolumeThatAnEarlierProcessCalledAbnormal() {
            doctor.says = rebuilding("20 percent");
            doctor.list = Map.of("h", rebuilding("10 percent"));
            bench.start();
            pass(Duration.ofMinutes(6));
            bench.kill();
            doctor.list = Map.of();
            bench.start();
            pass(Duration.ofMinutes(6));

            assertThat(doctor.asked).isPositive();
            assertThat(bench.told(key("c"))).doesNotContain("VolumeConditionNormal");
        }

        @Test
        void asksForEachVolumeWhereTheListCannotBeHad() {
            doctor.silent = true;
            bench.start();
            pass(Duration.ofMinutes(1));
            doctor.silent = false;
            doctor.listFails = true;
            doctor.says = rebuilding("10 percent");
            pass(Duration.ofMinutes(20));

            assertThat(doctor.listed).as("no hot loop").isLessThan(12);
            assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal");
            assertThat(bench.told(key("c2"))).containsExactly("VolumeConditionAbnormal");
        }

        @Test
        void takesNothingForWellThatAnIncompleteListLacks() {
            doctor.complete = false;
            doctor.says = rebuilding("10 percent");
            bench.start();
            pass(Duration.ofMinutes(1));

            assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal");
        }

        @Test
        void keepsWhatWasSaidOfAVolumeThatNeitherTheListNorThePluginAnswersFor() {
            doctor.list = Map.of("h", rebuilding("10 percent"));
            bench.start();
            pass(Duration.ofMinutes(6));
            doctor.list = Map.of();
            doctor.says = Health.notReported();
            pass(Duration.ofHours(4));

            assertThat(bench.told(key("c"))).containsExactly("VolumeConditionAbnormal");
            assertThat(condition()).containsEntry("status", "False");
            assertThat(doctor.asked).as("less and less often").isBetween(3, 10);
        }
    }

    private void pass(Duration time) {
        bench.loop.advance(time);
    }

    private Map<String, String> condition() {
        return conditions().get(0);
    }

    private List<Map<String, String>> conditions() {
        List<Map<String, String>> conditions = new ArrayList<>();
        Object status = Manifests.toTree(bench.claim("c")).get("status");
        if (status instanceof Map<?, ?> fields && fields.get("conditions") instanceof List<?> list) {
            for (Object each : list) {
                Map<String, String> condition = new LinkedHashMap<>();
                if (each instanceof Map<?, ?> stored) {
                    stored.forEach((key, value) -> condition.put(String.valueOf(key), String.valueOf(value)));
                }
                conditions.add(condition);
            }
        }
        return conditions;
    }

    /** A plugin that only tells how its volumes are. */
    private static final class Doctor implements VolumePlugin, HealthReporter {
        Health says = new Health(false, "");
        boolean silent;
        int asked;
        boolean lists;
        boolean complete = true;
        boolean listFails;
        Map<String, Health> list = Map.of();
        int listed;

        @Override
        public String name() {
            return "doctor.example.com";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource csi && csi.driver().equals(name());
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return ((CsiSource) spec.source()).volumeHandle();
        }

        @Override
        public Optional<HealthReporter> health() {
            return Optional.of(this);
        }

        @Override
        public Health health(VolumeId volume, CallContext context) {
            asked++;
            if (silent) {
                throw VolumeException.transientFailure("no answer");
            }
            return says;
        }

        @Override
        public boolean lists() {
            return lists;
        }

        @Override
        public HealthListing list(CallContext context) {
            listed++;
            if (silent || listFails) {
                throw VolumeException.transientFailure("no list");
            }
            return new HealthListing(list, complete);
        }
    }
}
