package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumePhase;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to claims and volumes while a controller runs on threads of its own, as it hears of one change after another. */
class ControllerTableTest {
    /** One row: what is there at the start, and what happens then. */
    record Told(String id, String what, Play given, Play then) {
        @Override
        public String toString() {
            return id + " " + what;
        }
    }

    /** Something that is done with the cluster, or waited for. */
    interface Play {
        void with(Stage stage) throws InterruptedException;
    }

    static Stream<Told> rows() {
        return Stream.of(
                new Told(
                        "5-1",
                        "a claim that comes to a volume is bound",
                        stage -> stage.apply(volume("v").made()),
                        stage -> {
                            stage.apply(claim("c").made());
                            stage.awaitBound("c", "v");
                        }),
                new Told(
                        "5-2",
                        "a volume that comes to a claim is bound",
                        stage -> stage.apply(claim("c").made()),
                        stage -> {
                            stage.apply(volume("v").made());
                            stage.awaitBound("c", "v");
                        }),
                new Told(
                        "5-3",
                        "what is there at the start is bound",
                        stage -> {
                            stage.apply(volume("v").made());
                            stage.apply(claim("c").made());
                        },
                        stage -> stage.awaitBound("c", "v")),
                new Told(
                        "5-4",
                        "the volume of a claim that is deleted is released",
                        stage -> {
                            stage.apply(volume("v").made());
                            stage.apply(claim("c").made());
                        },
                        stage -> {
                            stage.awaitBound("c", "v");
                            stage.remove(key("c"));
                            stage.awaitPhase("v", VolumePhase.RELEASED);
                        }),
                new Told(
                        "5-5",
                        "a claim whose volume is deleted is lost, and bound again when it is back",
                        stage -> {
                            stage.apply(volume("v").made());
                            stage.apply(claim("c").made());
                        },
                        stage -> {
                            stage.awaitBound("c", "v");
                            stage.remove(ObjectKey.volume("v"));
                            stage.awaitClaim("c", claim -> claim.status().phase() == ClaimPhase.LOST);
                            stage.apply(volume("v").uid("uid-second").made());
                            stage.awaitBound("c", "v");
                        }),
                new Told(
                        "5-6",
                        "a volume whose bound claim's owner takes the reservation away is bound again",
                        stage -> {
                            stage.apply(volume("v").made());
                            stage.apply(claim("c").made());
                        },
                        stage -> {
                            stage.awaitBound("c", "v");
                            stage.apply(volume("v").phase(VolumePhase.BOUND).made());
                            stage.awaitReserved("v", "uid-c");
                        }),
                new Told(
                        "5-7",
                        "a claim that is deleted before there is a volume leaves the volume to the next",
                        stage -> stage.apply(claim("c").made()),
                        stage -> {
                            stage.remove(key("c"));
                            stage.apply(claim("d").made());
                            stage.apply(volume("v").made());
                            stage.awaitBound("d", "v");
                        }),
                new Told(
                        "5-8",
                        "a volume that was made goes with its claim",
                        stage -> {
                            stage.apply(Classes.storageClass("fast", "mem"));
                            stage.apply(claim("c").ofClass("fast").made());
                        },
                        stage -> {
                            stage.awaitBound("c", "pvc-uid-c");
                            stage.remove(key("c"));
                            stage.awaitGone(ObjectKey.volume("pvc-uid-c"));
                            assertThat(stage.storage.volumes()).isEmpty();
                        }),
                new Told(
                        "5-9",
                        "a claim of a class that comes later gets its volume",
                        stage -> stage.apply(claim("c").ofClass("fast").made()),
                        stage -> {
                            stage.apply(Classes.storageClass("fast", "mem"));
                            stage.awaitBound("c", "pvc-uid-c");
                        }),
                new Told(
                        "5-10",
                        "a claim that says nothing of a class gets the default class that comes later",
                        stage -> stage.apply(claim("c").noClassSaid().made()),
                        stage -> {
                            stage.apply(Classes.defaultClass("fast", "mem"));
                            stage.awaitBound("c", "pvc-uid-c");
                        }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void happensWhileTheControllerRuns(Told row) throws InterruptedException {
        Stage stage = new Stage();
        row.given().with(stage);
        try (PersistentVolumeController controller = stage.controller()) {
            controller.start();
            row.then().with(stage);
        }
        assertThat(stage.storage.violations()).isEmpty();
    }

    /** A cluster and a backend, and how to wait for what becomes of them. */
    private static final class Stage {
        private final InMemoryCluster cluster = InMemoryCluster.create();
        private final InMemoryStorage storage = InMemoryStorage.create();

        PersistentVolumeController controller() {
            return PersistentVolumeController.builder()
                    .cluster(cluster, cluster)
                    .plugins(PluginRegistry.builder(InMemoryPluginHost.named("").build())
                            .plugin(InMemoryPlugin.on(storage))
                            .build())
                    .build();
        }

        void apply(ApiObject object) {
            cluster.apply(object);
        }

        void remove(ObjectKey key) {
            cluster.remove(key);
        }

        void awaitReserved(String volume, String claimUid) throws InterruptedException {
            await(ObjectKey.volume(volume), PersistentVolume.class, found -> {
                @Nullable ObjectReference claim = found.spec().claimRef();
                return claim != null && claim.uid().equals(claimUid);
            });
        }

        void awaitBound(String claim, String volume) throws InterruptedException {
            awaitClaim(
                    claim,
                    found -> found.status().phase() == ClaimPhase.BOUND
                            && found.spec().volumeName().equals(volume));
            awaitPhase(volume, VolumePhase.BOUND);
        }

        void awaitClaim(String name, Predicate<PersistentVolumeClaim> wanted) throws InterruptedException {
            await(key(name), PersistentVolumeClaim.class, wanted);
        }

        void awaitPhase(String volume, VolumePhase phase) throws InterruptedException {
            await(
                    ObjectKey.volume(volume),
                    PersistentVolume.class,
                    found -> found.status().phase() == phase);
        }

        void awaitGone(ObjectKey key) throws InterruptedException {
            await(key, Optional::isEmpty);
        }

        <T extends ApiObject> void await(ObjectKey key, Class<T> type, Predicate<T> wanted)
                throws InterruptedException {
            await(
                    key,
                    found -> found.filter(type::isInstance)
                            .map(type::cast)
                            .filter(wanted)
                            .isPresent());
        }

        private void await(ObjectKey key, Predicate<Optional<ApiObject>> wanted) throws InterruptedException {
            CountDownLatch reached = new CountDownLatch(1);
            ClusterSource.Watch watch = cluster.watch(key.kind(), Selection.all(), cluster.revision(), event -> {
                if (wanted.test(cluster.get(key))) {
                    reached.countDown();
                }
            });
            try {
                if (!wanted.test(cluster.get(key))) {
                    assertThat(reached.await(60, TimeUnit.SECONDS))
                            .as("%s: %s", key, cluster.get(key))
                            .isTrue();
                }
            } finally {
                watch.close();
            }
        }
    }
}
