package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.plugins.ImagePlugin;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.mount.UserFiles;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ImageResolver;
import io.volume4j.spi.host.ImageResolver.PullPolicy;
import io.volume4j.spi.host.ImageResolver.ResolvedImage;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Image volumes: of the container runtime, of a host that pulls, and of a directory. */
class ImagePluginTest {
    private static final Path IMAGES = Path.of("/var/lib/images");
    private static final String DIGEST = "registry.example/files@sha256:" + "0a".repeat(32);
    private static final byte[] CONTENT = {42};

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final UserFiles files = machine.user();

    @Test
    void nothingIsMountedOrLeftOnDiskForAnImageOfTheRuntime() {
        int mounts = machine.table().size();
        PluginLife life = life(new ImagePlugin(), "registry.example/files:1");

        life.up().forEach(Runnable::run);
        assertThat(machine.table().size()).isEqualTo(mounts);
        assertThat(machine.files().status(PluginLife.POD)).isEmpty();
        life.down().forEach(Runnable::run);

        assertThat(life.leftovers()).isEmpty();
        assertThat(life.mountPointsLeft()).isFalse();
    }

    @Test
    void whatAnEarlierProcessMountedGoesAlsoWhereTheRuntimeMountsImagesNow() {
        image(DIGEST);
        life(ImagePlugin.ofDirectory(IMAGES), DIGEST).up().forEach(Runnable::run);

        PluginLife now = life(new ImagePlugin(), DIGEST);
        now.down().forEach(Runnable::run);

        assertThat(machine.table().at(PluginLife.POD.absolute())).isEmpty();
        assertThat(now.mountPointsLeft()).isFalse();
    }

    @Test
    void aTagShowsTheFilesOfTheDigestThatItLeadsToReadOnly() {
        image(DIGEST);
        files.link(
                IMAGES.resolve("registry.example/files:1"),
                IMAGES.resolve(DIGEST).toString());
        PluginLife life = life(ImagePlugin.ofDirectory(IMAGES), "registry.example/files:1");

        for (Runnable step : life.up()) {
            step.run();
            step.run();
        }

        assertThat(files.read(PluginLife.POD.absolute().resolve("f"))).isEqualTo(CONTENT);
        assertThat(machine.table().at(PluginLife.POD.absolute()).orElseThrow().readOnly())
                .isTrue();
        for (Runnable step : life.down()) {
            step.run();
            step.run();
        }
        assertThat(life.mountPointsLeft()).isFalse();
        assertThat(files.read(IMAGES.resolve(DIGEST).resolve("f"))).isEqualTo(CONTENT);
    }

    /** A call whose answer was lost may have mounted what the tag meant then. */
    @Test
    void aSecondCallShowsWhatTheTagMeansNow() {
        image(DIGEST);
        String newer = DIGEST.replace("0a", "0b");
        image(newer);
        files.write(IMAGES.resolve(newer).resolve("f"), new byte[] {43});
        List<String> means = new ArrayList<>(List.of(DIGEST, newer));
        PluginLife life = life(
                new ImagePlugin((request, context) -> {
                    String now = means.remove(0);
                    return new ResolvedImage(IMAGES.resolve(now), now);
                }),
                "registry.example/files:1");

        life.up().forEach(Runnable::run);
        life.up().forEach(Runnable::run);

        assertThat(files.read(PluginLife.POD.absolute().resolve("f"))).containsExactly(43);
    }

    @Test
    void anImageThatIsNotThereIsWaitedForWithAdvice() {
        PluginLife life = life(ImagePlugin.ofDirectory(IMAGES), "registry.example/files:1");

        assertThatThrownBy(() -> life.up().forEach(Runnable::run))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.TRANSIENT))
                .hasMessageContaining("registry.example/files:1")
                .hasMessageContaining("does not exist");
        machine.files().createRoot(IMAGES);
        assertThatThrownBy(() -> life.up().forEach(Runnable::run))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.advice()).contains("ImageResolver"))
                .hasMessageContaining("this machine pulls no images");
        assertThat(life.mountPointsLeft()).isFalse();

        image("registry.example/files:1");
        life.up().forEach(Runnable::run);
        assertThat(files.read(PluginLife.POD.absolute().resolve("f"))).isEqualTo(CONTENT);
    }

    @Test
    void aTagThatLeadsOutOfTheDirectoryOfImagesIsRefused() {
        machine.files().createRoot(IMAGES);
        machine.files().createDirectory(RootedPath.of(IMAGES, "registry.example"), 0755);
        machine.files().createDirectory(RootedPath.of(Path.of("/"), "etc/secret"), 0755);
        files.link(IMAGES.resolve("registry.example/files:1"), "/etc/secret");
        PluginLife life = life(ImagePlugin.ofDirectory(IMAGES), "registry.example/files:1");

        assertThatThrownBy(() -> life.up().forEach(Runnable::run))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL))
                .hasMessageContaining("leads out of the directory of images");
        assertThat(machine.table().at(PluginLife.POD.absolute())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../etc", "a/../../etc", "/etc", "a//b", "."})
    void aReferenceThatIsAPathElsewhereIsRefused(String reference) {
        machine.files().createRoot(IMAGES);
        PluginLife life = life(ImagePlugin.ofDirectory(IMAGES), reference);

        assertThatThrownBy(() -> life.up().forEach(Runnable::run)).hasMessageContaining("is no reference of an image");
    }

    @Test
    void aHostThatPullsIsToldWhichImageByWhichPolicyForWhichPod() {
        image(DIGEST);
        List<String> asked = new ArrayList<>();
        ImageResolver pulls = (request, context) -> {
            asked.add(request.reference() + " " + request.policy() + " "
                    + request.pod().metadata().uid() + " " + request.volume());
            return new ResolvedImage(IMAGES.resolve(DIGEST), DIGEST);
        };

        life(new ImagePlugin(pulls), "registry.example/files").up().forEach(Runnable::run);

        assertThat(asked).containsExactly("registry.example/files " + PullPolicy.ALWAYS + " uid-1 data");
    }

    @Test
    void aHostThatNamesWhatIsNoDirectoryIsToldSo() {
        machine.files().createRoot(IMAGES);
        files.write(IMAGES.resolve("file"), CONTENT);
        PluginLife life =
                life(new ImagePlugin((request, context) -> new ResolvedImage(IMAGES.resolve("file"), "")), "files:1");

        assertThatThrownBy(() -> life.up().forEach(Runnable::run)).hasMessageContaining("which is no directory");
    }

    private PluginLife life(ImagePlugin plugin, String reference) {
        return new PluginLife(machine, plugin, new OtherSource("image", Map.of("reference", reference)), false);
    }

    private void image(String name) {
        machine.files().createRoot(IMAGES);
        machine.files().createDirectory(RootedPath.of(IMAGES, name), 0755);
        files.write(IMAGES.resolve(name).resolve("f"), CONTENT);
    }
}
