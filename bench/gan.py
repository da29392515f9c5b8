#!/usr/bin/python3
"""Critic and generator steps of MoMWGAN against the same model and the same work in PyTorch, in turn.

A critic step draws latent vectors, generates the fakes, ranks blocks where the loss has blocks, goes forward and
backward and updates: with layer norm, gradient penalty on 16 images and Adam (--setting default, as motmot gan train), or
without a norm, RMSProp and clipping (--setting clipped, Algorithm 2). PyTorch's side is what a competent user writes:
Conv2d, ConvTranspose2d, BatchNorm2d, GroupNorm, torch.optim, plain or channels last, whichever has the lower median;
OpenBLAS on one thread and denormals flushed on both sides. The losses of the first three steps are compared first.

usage: bench/gan.py BUILD_DIR [--setting default|clipped] [--quick] [--threads N] [--width W] [--channels C]
"""
import argparse
import os

os.environ.update(OPENBLAS_NUM_THREADS="1")
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--setting", choices=["default", "clipped"], default="default")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--width", type=int, default=16)
parser.add_argument("--channels", type=int, default=1)
options = parser.parse_args()
BATCH, BLOCKS, LATENT, W, C = 64, 4, 64, options.width, options.channels
PENALISED = options.setting == "default"
PENALTY, PENALTY_ROWS, KEPT = 10, 16, 45  # trim leaves out 30 % of 64
torch.set_num_threads(options.threads)
torch.set_flush_denormal(True)


class Twin:
    def __init__(self, start, layout):
        leaky = lambda: nn.LeakyReLU(0.2)
        inner = lambda i, o: [nn.Conv2d(i, o, 4, 2, 1), *([nn.GroupNorm(1, o)] if PENALISED else []), leaky()]
        self.critic = nn.Sequential(nn.Conv2d(C, W, 4, 2, 1), leaky(), *inner(W, 2 * W), *inner(2 * W, 4 * W), nn.Conv2d(4 * W, 1, 4))
        up = lambda i, o: [nn.ConvTranspose2d(i, o, 4, 2, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU()]
        self.generator = nn.Sequential(nn.Unflatten(1, (LATENT, 1, 1)), nn.ConvTranspose2d(LATENT, 4 * W, 4, bias=False),
                                       nn.BatchNorm2d(4 * W), nn.ReLU(), *up(4 * W, 2 * W), *up(2 * W, W),
                                       nn.ConvTranspose2d(W, C, 4, 2, 1), nn.Tanh())
        self.load(start)
        self.layout = layout
        self.critic.to(memory_format=layout)
        self.generator.to(memory_format=layout)
        rule = (lambda net: torch.optim.Adam(net.parameters(), lr=1e-3, betas=(0.5, 0.9))) if PENALISED else \
            (lambda net: torch.optim.RMSprop(net.parameters(), lr=5e-4, alpha=0.99, eps=1e-8))
        self.rules = {net: rule(net) for net in (self.critic, self.generator)}
        self.data = (torch.rand(4096, C, 32, 32) * 2 - 1).contiguous(memory_format=layout)
        self.scores = torch.zeros(4096)

    def load(self, start):
        with torch.no_grad():
            convolutions = [layer for layer in self.critic if isinstance(layer, nn.Conv2d)]
            for layer, convolution in enumerate(convolutions[:3]):
                convolution.weight.copy_(torch.tensor(start[f"critic.layer{layer}.weight"]))
                convolution.bias.copy_(torch.tensor(start[f"critic.layer{layer}.bias"]))
            last = torch.tensor(start["critic.layer3.weight"]).view(1, 4, 4, 4 * W)
            convolutions[3].weight.copy_(last.permute(0, 3, 1, 2))
            convolutions[3].bias.copy_(torch.tensor(start["critic.layer3.bias"]))
            first = torch.tensor(start["generator.layer0.weight"]).view(4, 4, 4 * W, LATENT)
            self.generator[1].weight.copy_(first.permute(3, 2, 0, 1))
            for layer, at in ((1, 4), (2, 7), (3, 10)):
                self.generator[at].weight.copy_(torch.tensor(start[f"generator.layer{layer}.weight"]))
            self.generator[10].bias.copy_(torch.tensor(start["generator.layer3.bias"]))

    def penalty(self, real, fake, mix):
        between = (mix.view(-1, 1, 1, 1) * real + (1 - mix.view(-1, 1, 1, 1)) * fake).requires_grad_()
        slopes, = torch.autograd.grad(self.critic(between).sum(), between, create_graph=True)
        return PENALTY * (slopes.flatten(1).norm(2, 1) - 1).square().mean()

    def critic_step(self, kind, real, z, mix, rows=None):
        first = real[:PENALTY_ROWS]
        with torch.no_grad():
            fake = self.generator(z)
            if kind == "mom":
                values = self.critic(real).flatten()
                block = int(values.view(BLOCKS, -1).mean(1).argsort()[BLOCKS // 2])
                real, ranked = real[block * BATCH:(block + 1) * BATCH], values
        self.rules[self.critic].zero_grad(set_to_none=True)
        both = self.critic(torch.cat([real, fake])).flatten()
        on_real, on_fake = both[:len(real)], both[len(real):]
        if kind != "mom":
            ranked = on_real.detach()
        if kind == "trim":
            on_real = on_real[ranked.argsort()[:KEPT]]
        loss = on_fake.mean() - on_real.mean()
        (loss + self.penalty(first, fake[:PENALTY_ROWS], mix) if PENALISED else loss).backward()
        self.rules[self.critic].step()
        with torch.no_grad():
            for weight in () if PENALISED else self.critic.parameters():
                weight.clamp_(-0.05, 0.05)
            if rows is not None:
                middle = ranked.median()
                self.scores[rows] += ((ranked - middle) / (ranked - middle).abs().median()).clamp(0, 10)
        return loss.item()

    def generator_step(self):
        self.rules[self.generator].zero_grad(set_to_none=True)
        for weight in self.critic.parameters():
            weight.requires_grad_(False)
        (-self.critic(self.generator(torch.randn(BATCH, LATENT))).mean()).backward()
        for weight in self.critic.parameters():
            weight.requires_grad_(True)
        self.rules[self.generator].step()

    def steps(self, kind, n):
        start = time.perf_counter()
        for _ in range(n):
            if kind == "generator":
                self.generator_step()
            else:
                rows = torch.randint(4096, (BATCH * (BLOCKS if kind == "mom" else 1),))
                self.critic_step(kind, self.data[rows], torch.randn(BATCH, LATENT), torch.rand(PENALTY_ROWS), rows)
        return time.perf_counter() - start


class Ours:
    def __init__(self, folder):
        command = [options.build / "bin" / "gan_bench", W, C, BATCH, BLOCKS, options.threads, folder, options.setting]
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def ask(self, kind, n):
        print(kind, n, file=self.process.stdin, flush=True)
        seconds, loss = map(float, self.process.stdout.readline().split())
        return seconds, loss


def main():
    rounds, n = (5, 5) if options.quick else (21, 10)
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(folder)
        start = np.load(f"{folder}/start.npz")
        real, z, mix = (torch.tensor(np.load(f"{folder}/{name}.npy")).float() for name in ("real", "latents", "mix"))
        twins = [Twin(start, layout) for layout in (torch.contiguous_format, torch.channels_last)]
        for step in range(3):
            want = ours.ask("first", 1)[1]
            for twin in twins:
                got = twin.critic_step("plain", real.view(-1, C, 32, 32).contiguous(memory_format=twin.layout), z, mix)
                assert abs(got - want) < 1e-3 * abs(want) + 1e-6, f"the losses of step {step + 1} differ: {want} and {got}"
        print(f"{options.setting} setting, width {W}, {C} channels, batch {BATCH}, K = {BLOCKS}, {options.threads} threads; first losses agree")
        medians = {}
        for kind in ("plain", "trim", "mom", "generator"):
            mine, theirs = [], []
            for _ in range(rounds):
                mine.append(ours.ask(kind, n)[0] / n)
                theirs.append([twin.steps(kind, n) / n for twin in twins])
            medians[kind] = statistics.median(mine)
            plain, last = (1e3 * statistics.median(column) for column in zip(*theirs))
            best = 0 if plain < last else 1
            ratios = [a / b[best] for a, b in zip(mine, theirs)]
            print(f"{kind:10} motmot {1e3 * medians[kind]:7.2f} ms  torch {plain:7.2f} ms, channels last {last:7.2f} ms  "
                  f"ours/torch {statistics.median(ratios):.2f} (quartiles {np.quantile(ratios, .25):.2f}-{np.quantile(ratios, .75):.2f})")
        pairs = [ours.ask("mom", n)[0] / ours.ask("plain", n)[0] for _ in range(rounds)]
        print(f"robust critic step (mom, {BLOCKS} blocks of {BATCH}) / plain: {statistics.median(pairs):.2f} "
              f"(quartiles {np.quantile(pairs, .25):.2f}-{np.quantile(pairs, .75):.2f})")
        ours.process.stdin.close()


main()
