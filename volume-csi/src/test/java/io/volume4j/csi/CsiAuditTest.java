package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Inventory;
import io.volume4j.spi.plugin.Inventory.Held;
import io.volume4j.spi.plugin.Inventory.Holdings;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CsiAuditTest {
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private Holdings holdings = new Holdings(List.of(new Held("known", 1), new Held("orphan", 7)), true);

    @Test
    void findsWhatTheClusterDoesNotKnowAndConfirmsItTheSecondTime() {
        cluster.apply(volume("known"));
        CsiAuditReport first = audit(null);
        assertThat(first.orphans()).containsExactly(Map.entry("orphan", 7L));
        assertThat(first.confirmed()).isEmpty();
        CsiAuditReport second = audit(first);
        assertThat(second.confirmed()).containsExactly("orphan");
        assertThat(second.summary()).contains("1 volumes that the cluster does not know (1 confirmed)");
    }

    @Test
    void aVolumeThatIsBeingMadeMayBeAmongTheOrphansSoNoneIsConfirmed() {
        cluster.apply(volume("known"));
        cluster.apply(Given.storageClass(Map.of()));
        cluster.apply(Given.claim(AccessMode.READ_WRITE_ONCE));
        CsiAuditReport first = audit(null);
        assertThat(first.making()).isTrue();
        assertThat(audit(first).confirmed()).isEmpty();
        cluster.remove(ObjectKey.claim("shop", "db"));
        assertThat(audit(first).confirmed()).isEmpty();
    }

    @Test
    void aVolumeThatTheBackendDoesNotListIsMissingOnlyFromAWholeList() {
        cluster.apply(volume("vanished"));
        assertThat(audit(null).missing()).containsExactly("pv-vanished");
        holdings = new Holdings(List.of(), false);
        assertThat(audit(null).missing()).isEmpty();
    }

    @Test
    void aVolumeWhoseObjectIsStoredWhileTheBackendListsIsNoOrphan() {
        CsiAuditReport report = CsiAudit.run(
                plugin(context -> {
                    cluster.apply(volume("known"));
                    cluster.apply(volume("late"));
                    return holdings;
                }),
                cluster,
                null,
                TestContext.patient());
        assertThat(report.orphans()).containsOnlyKeys("orphan");
        assertThat(report.missing()).containsExactly("pv-late");
    }

    @Test
    void whatANodeReportsOrAnAttachmentNamesIsNoOrphan() {
        holdings = new Holdings(List.of(new Held("reported", 1), new Held("attached", 1), new Held("orphan", 7)), true);
        cluster.apply(new Node(
                ObjectMeta.named("", "n1"),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of("kubernetes.io/csi/" + Given.DRIVER + "^reported"), List.of(), Map.of()),
                Unmodeled.none()));
        cluster.apply(new VolumeAttachment(
                ObjectMeta.named("", "a"),
                VolumeAttachment.Spec.ofVolume(Given.DRIVER, "n1", "attached"),
                new VolumeAttachment.Status(false, Map.of(), null, null),
                Unmodeled.none()));
        assertThat(audit(null).orphans()).containsOnlyKeys("orphan");
    }

    /** The list is never held: only what the cluster does not know is, and of that only so much. */
    @Test
    void orphansAreReportedUpToABoundOfMemory() {
        String filling = "x".repeat(1 << 20);
        int[] given = {0};
        CsiAuditReport report = CsiAudit.run(
                plugin(new Inventory() {
                    @Override
                    public Holdings list(CallContext context) {
                        throw new AssertionError("the whole list at once");
                    }

                    @Override
                    public boolean each(Predicate<Held> sink, CallContext context) {
                        while (given[0] < 1_000 && sink.test(new Held(filling + given[0], 1))) {
                            given[0]++;
                        }
                        return given[0] == 1_000;
                    }
                }),
                cluster,
                null,
                TestContext.patient());
        assertThat(report.complete()).isFalse();
        assertThat(report.orphans()).hasSize((int) (CsiAudit.MAX_ORPHAN_CHARS >> 20));
        assertThat(given[0]).isLessThan(20);
    }

    @Test
    void aDriverThatCannotListCannotBeAudited() {
        assertThatThrownBy(() -> CsiAudit.run(plugin(null), cluster, null, TestContext.patient()))
                .isInstanceOf(VolumeException.class);
    }

    private CsiAuditReport audit(@Nullable CsiAuditReport previous) {
        return CsiAudit.run(plugin(context -> holdings), cluster, previous, TestContext.patient());
    }

    private static VolumePlugin plugin(@Nullable Inventory inventory) {
        return new VolumePlugin() {
            @Override
            public String name() {
                return Given.DRIVER;
            }

            @Override
            public boolean supports(VolumeSpec spec) {
                return true;
            }

            @Override
            public String volumeName(VolumeSpec spec) {
                return spec.name();
            }

            @Override
            public Optional<Inventory> inventory() {
                return Optional.ofNullable(inventory);
            }
        };
    }

    private static PersistentVolume volume(String handle) {
        PersistentVolume given = Objects.requireNonNull(Given.spec(
                        CsiSource.of(Given.DRIVER, handle, "", Map.of()),
                        VolumeMode.FILESYSTEM,
                        List.of(),
                        AccessMode.READ_WRITE_ONCE)
                .persistentVolume());
        return new PersistentVolume(
                io.volume4j.spi.model.ObjectMeta.named("", "pv-" + handle),
                given.spec(),
                given.status(),
                given.unmodeled());
    }
}
