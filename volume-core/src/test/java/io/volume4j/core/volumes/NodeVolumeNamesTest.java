package io.volume4j.core.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Node's status calls a volume. Kubernetes' attach-detach controller compares these names as text. */
class NodeVolumeNamesTest {
    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "ebs.csi.aws.com,       vol-1,             kubernetes.io/csi/ebs.csi.aws.com^vol-1",
        "nfs.csi.k8s.io,        server#share#pvc#, kubernetes.io/csi/nfs.csi.k8s.io^server#share#pvc#",
        "d,                     a^b,               kubernetes.io/csi/d^a^b",
        "d,                     50%,               kubernetes.io/csi/d^50%",
        "d,                     a/b/c,             kubernetes.io/csi/d^a/b/c",
        "kubernetes.io/iscsi,   10.0.0.1:iqn.x:0,  kubernetes.io/iscsi/10.0.0.1:iqn.x:0",
        "kubernetes.io/fc,      /w^0,              kubernetes.io/fc//w^0",
        "flexvolume-v/d,        x,                 flexvolume-v/d/x",
        "kubernetes.io/csi,     x,                 kubernetes.io/csi^x",
    })
    void areWrittenAsKubernetesWritesThemAndReadBack(String plugin, String name, String written) {
        VolumeId id = VolumeId.shared(plugin, name);

        assertThat(NodeVolumeNames.of(id)).isEqualTo(written);
        assertThat(NodeVolumeNames.parse(written)).contains(id);
    }

    /** All short texts: a name has Kubernetes' form exactly if it is read back as the same volume. */
    @Test
    void areReadBackWhateverPluginAndVolumeAreCalled() {
        List<String> texts = texts(3, "a", "/", "^", "%", "25");
        List<String> plugins = new ArrayList<>(texts);
        texts.forEach(text -> plugins.add("kubernetes.io/csi" + text));
        plugins.add("kubernetes.io/csi");
        for (String plugin : plugins) {
            for (String name : texts) {
                VolumeId id = VolumeId.shared(plugin, name);
                String form = plugin.contains("/") ? plugin + "/" + name : "kubernetes.io/csi/" + plugin + "^" + name;
                boolean readBack = NodeVolumeNames.parse(form).equals(Optional.of(id));
                assertThat(NodeVolumeNames.of(id)).isEqualTo(readBack ? form : id.toString());
            }
        }
    }

    private static List<String> texts(int length, String... parts) {
        List<String> all = new ArrayList<>();
        List<String> longest = List.of("");
        for (int i = 0; i < length; i++) {
            List<String> longer = new ArrayList<>();
            longest.forEach(text -> Stream.of(parts).forEach(part -> longer.add(text + part)));
            all.addAll(longer);
            longest = longer;
        }
        return all;
    }

    @ParameterizedTest(name = "{0} is volume {2} of {1}")
    @CsvSource({
        "ebs.csi.aws.com^vol-1,         ebs.csi.aws.com,     vol-1",
        "d^a%5Eb,                       d,                   a^b",
        "kubernetes.io/iscsi^10.0.0.1:0, kubernetes.io/iscsi, 10.0.0.1:0",
        "kubernetes.io/local-volume^/mnt/disk/1, kubernetes.io/local-volume, /mnt/disk/1",
    })
    void areReadInTheFormOfOlderVersionsToo(String older, String plugin, String name) {
        assertThat(NodeVolumeNames.parse(older)).contains(VolumeId.shared(plugin, name));
    }

    @Test
    void ofAVolumeThatBelongsToOnePodKeepThePod() {
        VolumeId id = VolumeId.ofPod("d", "data", "uid-1");

        assertThat(NodeVolumeNames.of(id)).isEqualTo("d^data^uid-1");
        assertThat(NodeVolumeNames.parse("d^data^uid-1")).contains(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "^",
                "x",
                "a/b",
                "kubernetes.io/csi/driver",
                "kubernetes.io/csi/^h",
                "kubernetes.io/csi/d^",
                "//x"
            })
    void thatAreInNoFormAreKeptAsTheyAre(String foreign) {
        assertThat(NodeVolumeNames.parse(foreign)).isEmpty();
        assertThat(NodeVolumeNames.idTexts(List.of(foreign))).containsExactly(foreign);
        assertThat(NodeVolumeNames.ofIdText(foreign)).isEqualTo(foreign);
    }
}
