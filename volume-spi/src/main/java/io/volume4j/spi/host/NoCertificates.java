package io.volume4j.spi.host;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.LabelSelector;
import java.util.List;
import java.util.Optional;

/**
 * The resolver of a host without certificates. It fails instead of reporting "no bundle", because an optional bundle
 * may exist.
 */
enum NoCertificates implements CertificateResolver {
    INSTANCE;

    @Override
    public Optional<String> trustBundle(String name) {
        throw refusal("trust bundle " + name + " cannot be read");
    }

    @Override
    public List<String> trustBundles(String signerName, LabelSelector selector) {
        throw refusal("trust bundles of signer " + signerName + " cannot be read");
    }

    @Override
    public Credential podCertificate(CertificateRequest request) {
        throw refusal("no certificate of signer " + request.signerName() + " for pod " + request.namespace() + "/"
                + request.podName());
    }

    private static VolumeException refusal(String what) {
        return VolumeException.transientFailure(what + ": this process has no certificate resolver")
                .withAdvice("give the plugin host a certificate resolver");
    }
}
