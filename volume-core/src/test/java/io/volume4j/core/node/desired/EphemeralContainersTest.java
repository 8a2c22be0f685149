package io.volume4j.core.node.desired;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mistake in an ephemeral container is that container's alone. The pod has files called data, and a raw device called raw. */
class EphemeralContainersTest {
    @ParameterizedTest(name = "{0} sees {1}, part \"{2}\", as a device: {3} -> {4}")
    @CsvSource({
        "debug,  data, '',    false, ''",
        "debug,  data, logs,  false, ''",
        "debug,  raw,  '',    true,  ''",
        "debug,  own,  logs,  false, ''",
        "debug,  data, ../x,  false, must not contain",
        "debug,  raw,  '',    false, is a raw device for the pod",
        "debug,  data, '',    true,  holds files for the pod",
        "app,    data, '',    false, another container of the pod is called app",
        "twice,  data, '',    false, another container of the pod is called twice",
        ".debug, data, '',    false, ''",
        ".debug, data, logs,  false, cannot be used as a file name",
    })
    void saysWhatKeepsAContainerFromItsVolumes(
            String name, String volume, String subPath, boolean device, String problem) {
        Container debug = device
                ? new Container(
                        name, List.of(), List.of(new Container.VolumeDevice(volume, "/dev/x")), Map.of(), Map.of())
                : container(name, volume, subPath);
        Container twin = container("twice", "data", "");
        Pod pod = pod(List.of(debug, twin));

        String found = new EphemeralContainers(pod, true).problem(debug);

        assertThat(found).contains(problem);
        assertThat(found.isEmpty()).isEqualTo(problem.isEmpty());
        PodShape shape = new PodShape(pod, Map.of());
        assertThat(shape.nameOfTwo())
                .as("what it asks for harms no other container")
                .isEmpty();
        assertThat(shape.asFiles("raw") || shape.asDevice("data")).isFalse();
        assertThat(shape.used(volume)).isTrue();
    }

    private static Container container(String name, String volume, String subPath) {
        return new Container(
                name,
                List.of(new Container.VolumeMount(volume, "/in", subPath, false, "", "")),
                List.of(),
                Map.of(),
                Map.of());
    }

    private static Pod pod(List<Container> ephemeral) {
        Container app = new Container(
                "app",
                List.of(new Container.VolumeMount("data", "/in", "", false, "", "")),
                List.of(new Container.VolumeDevice("raw", "/dev/x")),
                Map.of(),
                Map.of());
        NfsSource share = new NfsSource("s", "/p", false);
        return new Pod(
                ObjectMeta.named("default", "p").withUid("p"),
                Pod.Spec.builder()
                        .volumes(List.of(
                                new PodVolume("data", share), new PodVolume("raw", share), new PodVolume("own", share)))
                        .containers(List.of(app))
                        .ephemeralContainers(ephemeral)
                        .build(),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
    }
}
