package io.volume4j.core.control.ephemeral;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the templates of a pod are read, and how large they may be. */
class TemplateClaimsTest {
    private final TemplateClaims templates = new TemplateClaims();

    @Test
    void areReadOnceForAllVisitsOfAPod() {
        Pod pod = with("p", template("data"));
        List<DesiredClaim> first = templates.of(pod);

        for (int visit = 0; visit < 100; visit++) {
            Pod changed = with("p", template("data"), "label", String.valueOf(visit));
            assertThat(templates.of(changed)).isSameAs(first);
        }
    }

    @Test
    void areReadAgainIfTheyOrTheOwnersOfTheirClaimsChange() {
        assertThat(names(templates.of(with("p", template("data"))))).containsExactly("data-p");
        assertThat(names(templates.of(with("p", template("log"))))).containsExactly("log-p");

        List<DesiredClaim> scaled = templates.of(
                with("p", template("log"), PodClaims.RETENTION, "whenScaled=Delete", PodClaims.SCALED_AWAY, "true"));
        PersistentVolumeClaim claim = Objects.requireNonNull(scaled.get(0).claim());
        assertThat(claim.metadata().ownerReferences())
                .extracting(OwnerReference::uid)
                .containsExactly("p");
    }

    @Test
    void areThoseOfEachPodAndForgottenWithIt() {
        List<DesiredClaim> first = templates.of(with("p", template("data")));
        assertThat(names(templates.of(with("q", template("data"))))).containsExactly("data-q");
        assertThat(templates.of(with("p", template("data")))).isSameAs(first);

        templates.forget("p");
        assertThat(templates.of(with("p", template("data")))).isNotSameAs(first);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            64 |     0 | 64 claims
            65 |     0 | has 65 templates, and at most 64 are permitted
             1 | 32600 | 1 claims
             1 | 40000 | characters, and at most 32768 are permitted
            """)
    void makeNoClaimsIfTheyAreTooManyOrTooLarge(int count, int comment, String expected) {
        String text = IntStream.range(0, count)
                .mapToObj(i -> template("d" + i))
                .collect(Collectors.joining("---\n", "# " + "x".repeat(comment) + "\n", ""));

        List<DesiredClaim> claims = templates.of(with("p", text));

        assertThat(
                        claims.get(0).error().isEmpty()
                                ? claims.size() + " claims"
                                : claims.get(0).error())
                .endsWith(expected);
        assertThat(claims.get(0).claim() == null).isEqualTo(!expected.endsWith("claims"));
    }

    private static List<String> names(List<DesiredClaim> claims) {
        return claims.stream().map(claim -> claim.key().name()).toList();
    }

    private static String template(String name) {
        return "kind: PersistentVolumeClaim\napiVersion: v1\nmetadata: {name: " + name
                + "}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n";
    }

    /** A pod whose name is its UID. */
    private static Pod with(String name, String text, String... annotations) {
        Pod bare = (Pod) Manifests.read("test", """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: ns, uid: %s},
                 spec: {containers: [{name: a, image: b}]}, status: {phase: Pending}}
                """.formatted(name, name)).get(0);
        ObjectMeta meta = bare.metadata().withAnnotation(PodClaims.TEMPLATES, text);
        for (int i = 0; i < annotations.length; i += 2) {
            meta = meta.withAnnotation(annotations[i], annotations[i + 1]);
        }
        return new Pod(meta, bare.spec(), bare.status(), bare.unmodeled());
    }
}
