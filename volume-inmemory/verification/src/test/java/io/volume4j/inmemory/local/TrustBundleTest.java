package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which certificates a clusterTrustBundle projection shows. */
class TrustBundleTest {
    private static final String SIGNER = "example.com/roots";

    @Test
    void aBundleIsChosenByItsName() {
        ContentNode node = bundle(Map.of("name", "roots"));
        node.certificates.put("roots", "", Map.of(), pem(node, "a"));
        node.certificates.put("others", "", Map.of(), pem(node, "b"));

        node.setUp();

        assertThat(node.read("ca")).isEqualTo(pem(node, "a"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "matchLabels: stage=live           | a b",
                "matchLabels: stage=test           | c",
                "stage In live,test                | a b c",
                "stage NotIn live                  | c d",
                "stage Exists                      | a b c",
                "stage DoesNotExist                | d",
                "matchLabels:                      | a b c d",
            })
    void bundlesOfASignerAreChosenByTheirLabels(String selector, String shown) {
        ContentNode node = bundle(Map.of("signerName", SIGNER, "labelSelector", selector(selector)));
        node.certificates.put("a", SIGNER, Map.of("stage", "live"), pem(node, "a"));
        node.certificates.put("b", SIGNER, Map.of("stage", "live"), pem(node, "b"));
        node.certificates.put("c", SIGNER, Map.of("stage", "test"), pem(node, "c"));
        node.certificates.put("d", SIGNER, Map.of(), pem(node, "d"));
        node.certificates.put("e", "example.com/others", Map.of("stage", "live"), pem(node, "e"));

        node.setUp();

        for (String each : List.of("a", "b", "c", "d", "e")) {
            assertThat(node.read("ca").contains(pem(node, each)))
                    .as(each)
                    .isEqualTo(List.of(shown.split(" ")).contains(each));
        }
    }

    @Test
    void eachCertificateIsShownOnceInAnOrderThatItsContentDecides() {
        ContentNode one = bundle(Map.of("signerName", SIGNER, "labelSelector", Map.of()));
        String a = pem(one, "a");
        String b = pem(one, "b");
        String c = pem(one, "c");
        one.certificates.put("x", SIGNER, Map.of(), a + "a comment\n" + b);
        one.certificates.put("y", SIGNER, Map.of(), b + c);
        ContentNode other = bundle(Map.of("signerName", SIGNER, "labelSelector", Map.of()));
        other.certificates.put("x", SIGNER, Map.of(), c);
        other.certificates.put("y", SIGNER, Map.of(), b + a + c);
        ContentNode fewer = bundle(Map.of("name", "x"));
        fewer.certificates.put("x", "", Map.of(), c + a);

        List.of(one, other, fewer).forEach(ContentNode::setUp);

        assertThat(one.read("ca")).isEqualTo(other.read("ca")).hasSize(a.length() + b.length() + c.length());
        assertThat(one.read("ca").replace(b, "")).as("one more moves no other").isEqualTo(fewer.read("ca"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "selector", "no selector"})
    void whatIsMissingIsAFailureUnlessItIsOptional(String how) {
        Map<String, Object> fields = new TreeMap<>();
        switch (how) {
            case "name" -> fields.put("name", "roots");
            case "selector" -> fields.putAll(Map.of("signerName", SIGNER, "labelSelector", Map.of()));
            default -> fields.put("signerName", SIGNER);
        }
        ContentNode required = bundle(fields);
        fields.put("optional", true);
        ContentNode optional = bundle(fields);
        if (how.equals("no selector")) {
            required.certificates.put("x", SIGNER, Map.of(), pem(required, "a"));
            optional.certificates.put("x", SIGNER, Map.of(), pem(optional, "a"));
        }

        VolumeException failure = catchThrowableOfType(VolumeException.class, required::setUp);
        optional.setUp();

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("does not exist, which projected.sources[0].clusterTrustBundle names");
        assertThat(optional.read("ca")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                     | exactly one of name and signerName",
                "name=a,signerName=example.com/b      | exactly one of name and signerName",
                "name=a,labelSelector=                | labelSelector goes with signerName",
                "name=a b                             | must be the name of a trust bundle",
                "signerName=nodomain                  | signerName must be a domain, '/' and a name",
                "signerName=example.com/              | signerName must be a domain, '/' and a name",
            })
    void aProjectionThatChoosesNothingOrTwiceIsRefused(String fields, String refusal) {
        Map<String, Object> source = new TreeMap<>();
        for (String field : fields == null ? new String[0] : fields.split(",")) {
            String[] parts = field.split("=", 2);
            source.put(parts[0], parts[0].equals("labelSelector") ? Map.of() : parts[1]);
        }

        VolumeException failure =
                catchThrowableOfType(VolumeException.class, () -> bundle(source).setUp());

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining(refusal);
    }

    @Test
    void anOperatorThatIsNotKnownIsRefused() {
        Map<String, Object> gt = Map.of("key", "stage", "operator", "Gt", "values", List.of("1"));
        ContentNode node =
                bundle(Map.of("signerName", SIGNER, "labelSelector", Map.of("matchExpressions", List.of(gt))));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp)).hasMessageContaining("operator must be");
    }

    @Test
    void aBundleWithSomethingElseInItChangesNothingAndShowsNothingOfIt() {
        ContentNode node = bundle(Map.of("name", "roots"));
        node.certificates.put("roots", "", Map.of(), pem(node, "a"));
        node.setUp();
        String before = node.read("ca");

        for (String broken : List.of(
                "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n",
                "-----BEGIN CERTIFICATE-----\nc2VjcmV0\n-----END CERTIFICATE-----\n",
                "-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----\n",
                "-----BEGIN CERTIFICATE-----\nc2VjcmV0\n",
                "")) {
            node.certificates.put("roots", "", Map.of(), broken);

            VolumeException failure = catchThrowableOfType(VolumeException.class, node::setUp);

            assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
            assertThat(failure.getMessage())
                    .contains("trust bundle roots, which projected.sources[0].clusterTrustBundle names, is no list")
                    .doesNotContain("c2VjcmV0");
            assertThat(node.read("ca")).isEqualTo(before);
        }
    }

    private static String pem(ContentNode node, String signer) {
        return PEMS.computeIfAbsent(signer, node.certificates::authority);
    }

    /** Of all nodes of the test. */
    private static final Map<String, String> PEMS = new TreeMap<>();

    private static Map<String, Object> selector(String text) {
        if (text.startsWith("matchLabels:")) {
            Map<String, Object> labels = new TreeMap<>();
            String pairs = text.substring("matchLabels:".length()).strip();
            if (!pairs.isEmpty()) {
                labels.put(pairs.split("=")[0], pairs.split("=")[1]);
            }
            return Map.of("matchLabels", labels);
        }
        String[] words = text.split(" ");
        Map<String, Object> requirement = new TreeMap<>(Map.of("key", words[0], "operator", words[1]));
        if (words.length > 2) {
            requirement.put("values", List.of(words[2].split(",")));
        }
        return Map.of("matchExpressions", List.of(requirement));
    }

    private static ContentNode bundle(Map<String, Object> fields) {
        Map<String, Object> source = new TreeMap<>(fields);
        source.put("path", "ca");
        return ContentNode.projected(List.of(Map.of("clusterTrustBundle", source)));
    }
}
