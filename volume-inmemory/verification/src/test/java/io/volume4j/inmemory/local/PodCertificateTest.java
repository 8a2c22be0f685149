package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.inmemory.host.InMemoryCertificates;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver.CertificateRequest;
import io.volume4j.spi.host.CertificateResolver.Credential;
import io.volume4j.spi.host.CertificateResolver.KeyType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The key and the certificates that a pod gets, and when they are renewed. The issuer wants to be asked after nine tenths. */
class PodCertificateTest {
    private static final String SIGNER = "example.com/pods";

    @Test
    void thePodGetsItsKeyAndTheChainThatWasIssuedForIt() throws GeneralSecurityException {
        ContentNode node =
                certificate(Map.of("credentialBundlePath", "both", "keyPath", "key", "certificateChainPath", "chain"));

        node.setUp();

        assertThat(node.read("both")).isEqualTo(node.read("key") + node.read("chain"));
        assertThat(node.read("key")).startsWith("-----BEGIN PRIVATE KEY-----\n");
        assertThat(node.read("chain")).endsWith(node.certificates.authority(SIGNER));
        X509Certificate leaf = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(node.read("chain").getBytes(StandardCharsets.UTF_8)));
        assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("CN=default/web");
    }

    @Test
    void theIssuerIsToldWhatTheManifestSaysAndWhosePodItIs() {
        ContentNode node = certificate(Map.of(
                "credentialBundlePath",
                "both",
                "maxExpirationSeconds",
                7200,
                "userAnnotations",
                Map.of("example.com/role", "front")));

        node.setUp();

        assertThat(node.certificates.requests())
                .containsExactly(new CertificateRequest(
                        "default",
                        "web",
                        "uid-1",
                        "robot",
                        "n1",
                        SIGNER,
                        KeyType.ECDSAP256,
                        7200,
                        Map.of("example.com/role", "front")));
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void everyTypeOfKeyIsIssued(KeyType type) {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both", "keyType", type.name()));

        node.setUp();

        assertThat(node.read("both")).contains("PRIVATE KEY", "CERTIFICATE");
    }

    @Test
    void aCertificateIsKeptUntilItsIssuerWantsToBeAskedAgain() {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both", "maxExpirationSeconds", 36_000));
        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(32_400));
        String first = node.read("both");

        node.clock.advance(Duration.ofSeconds(32_399));
        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(32_400));
        assertThat(node.read("both")).isEqualTo(first);

        node.clock.advance(Duration.ofSeconds(1));
        node.setUp();
        assertThat(node.read("both")).isNotEqualTo(first);
        assertThat(node.certificates.requests()).hasSize(2);
    }

    /** An issuer that does not say, or says a time when the certificate has expired or that is over. */
    @ParameterizedTest
    @ValueSource(longs = {0, -5, 36_000, 100_000})
    void withoutATimeThatCanBeRightItIsRenewedAfterFourFifthsOfItsLife(long wanted) {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both", "maxExpirationSeconds", 36_000));
        node.issue = issued -> new Credential(
                issued.privateKey(),
                issued.certificateChain(),
                wanted == 0 ? null : ManualClock.START.plusSeconds(wanted));

        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(28_800));
    }

    /** A node that booted without knowing the time, or whose clock runs ahead: the times are told by another clock. */
    @ParameterizedTest
    @ValueSource(longs = {365, 1, -1, -365})
    void aCertificateIsNotUsedLongerThanWasAskedForWhateverTheClocksSay(long days) {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both", "maxExpirationSeconds", 36_000));
        node.ahead = Duration.ofDays(days);

        Instant due = node.setUp().refreshAt();
        String first = node.read("both");
        assertThat(due).isEqualTo(ManualClock.START.plusSeconds(28_800));
        node.clock.advance(Duration.ofSeconds(28_799));
        node.setUp();
        assertThat(node.read("both")).isEqualTo(first);
        node.clock.advance(Duration.ofSeconds(1));
        node.setUp();
        assertThat(node.read("both")).isNotEqualTo(first);
    }

    @Test
    void aCertificateThatCannotBeRenewedServesUntilItExpires() {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both", "maxExpirationSeconds", 36_000));
        node.setUp();
        String first = node.read("both");
        node.certificates.refuse(VolumeException.transientFailure("the issuer is away"));
        node.clock.advance(Duration.ofMinutes(550));

        assertThat(node.setUp().refreshAt()).isEqualTo(node.clock.instant().plusSeconds(60));
        assertThat(node.read("both")).isEqualTo(first);

        node.clock.advance(Duration.ofMinutes(50));
        assertThat(catchThrowableOfType(VolumeException.class, node::setUp)).hasMessage("the issuer is away");
    }

    @Test
    void anIssuerThatRefusesFailsTheMountForGood() {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both"));
        node.certificates.refuse(VolumeException.finalFailure("the signer denied it"));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp).kind())
                .isEqualTo(FailureKind.FINAL);
    }

    /** A reboot empties the memory that holds the key; the journal has only the times. */
    @Test
    void aKeyThatIsLostIsNotKeptButIssuedAnew() {
        ContentNode node = certificate(Map.of("keyPath", "key", "certificateChainPath", "chain"));
        node.setUp();
        node.tearDown();

        node.setUp();

        assertThat(node.certificates.requests()).hasSize(2);
    }

    @Test
    void anotherSignerIsAnotherCertificate() {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both"));
        node.setUp();
        ContentNode other = certificate(Map.of("credentialBundlePath", "both", "signerName", "example.com/others"));
        other.state = node.state;

        other.setUp();

        assertThat(other.certificates.requests()).hasSize(1);
    }

    @Test
    void noKeyIsRememberedOutsideOfItsVolumeOrShown() {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both"));
        node.issue = issued -> {
            assertThat(issued.toString()).doesNotContain("KEY-----", "CERTIFICATE");
            return issued;
        };
        node.setUp();

        assertThat(node.state.values()).hasSize(1);
        for (String line : node.certificates.everyKey().get(0).lines().toList()) {
            assertThat(node.state.toString()).doesNotContain(line);
        }
    }

    /** What an issuer or the host's code may get wrong. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "key of another            | the first certificate was issued for another key",
                "key of another type       | the private key is no ECDSAP256 key",
                "key of another size       | the private key is no ECDSAP256 key",
                "key in the chain          | a block is no certificate",
                "no key                    | the private key is not one block of PKCS#8",
                "no chain                  | it holds no certificate",
                "garbage                   | a block is not base64",
            })
    void aKeyThatItsCertificateDoesNotFitIsNotShownToThePod(String wrong, String refusal) {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both"));
        node.issue = issued -> {
            String key = issued.privateKey();
            String chain = issued.certificateChain();
            return switch (wrong) {
                case "key of another" -> credential(another(KeyType.ECDSAP256).privateKey(), chain);
                case "key of another type" ->
                    credential(another(KeyType.ED25519).privateKey(), chain);
                case "key of another size" -> another(KeyType.ECDSAP384);
                case "key in the chain" -> credential(key, chain + key);
                case "no key" -> credential("", chain);
                case "no chain" -> credential(key, "");
                default -> credential("-----BEGIN PRIVATE KEY-----\n?\n-----END PRIVATE KEY-----", chain);
            };
        };

        VolumeException failure = catchThrowableOfType(VolumeException.class, node::setUp);

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure)
                .hasMessageContaining(
                        "what signer " + SIGNER + " issued for pod default/web cannot be used: " + refusal)
                .hasNoCause();
        assertThat(node.machine.table().size()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keyType=DSA                          | keyType must be one of [RSA3072, RSA4096, ECDSAP256",
                "keyType=                             | keyType is missing",
                "signerName=pods                      | signerName must be a domain, '/' and a name",
                "maxExpirationSeconds=3599            | maxExpirationSeconds must be from 3600 to 7862400",
                "maxExpirationSeconds=7862401         | maxExpirationSeconds must be from 3600 to 7862400",
                "keyPath=both                         | is the path \"both\" of another file",
                "keyPath=../up                        | the path \"../up\" must not begin with",
                "credentialBundlePath=-               | must have at least one of [credentialBundlePath, keyPath, certi",
            })
    void aProjectionThatCannotBeMeantIsRefused(String field, String refusal) {
        String[] parts = field.split("=", 2);
        Map<String, Object> fields = new TreeMap<>(Map.of("credentialBundlePath", "both"));
        if (parts[1].equals("-")) {
            fields.remove(parts[0]);
        } else {
            fields.put(parts[0], parts[1].matches("[0-9]+") ? (Object) Long.valueOf(parts[1]) : parts[1]);
        }

        VolumeException failure = catchThrowableOfType(
                VolumeException.class, () -> certificate(fields).setUp());

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining(refusal);
    }

    @Test
    void thePodsGroupReadsTheKeyAndNoOtherUserDoes() {
        ContentNode node = certificate(Map.of("credentialBundlePath", "both"));
        node.fsGroup = 2000L;

        node.setUp();

        assertThat(node.mode("both")).isEqualTo(0640);
    }

    private static Credential another(KeyType type) {
        return new InMemoryCertificates(new ManualClock())
                .podCertificate(new CertificateRequest("n", "p", "u", "s", "n1", SIGNER, type, 3600, Map.of()));
    }

    private static Credential credential(String key, String chain) {
        return new Credential(key, chain, null);
    }

    private static ContentNode certificate(Map<String, Object> fields) {
        Map<String, Object> source = new TreeMap<>(Map.of("signerName", SIGNER, "keyType", "ECDSAP256"));
        source.putAll(fields);
        return ContentNode.projected(List.of(Map.of("podCertificate", source)));
    }
}
