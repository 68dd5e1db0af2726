// States of earlier rounds of a loop, with which later ones are compared.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace heddle::pass {

// A loop may come back to a state after several rounds: one that looks at two variables in turn, or
// one that begins where a loop inside it does. To see that, the state of some round is kept, the
// landmark, and each later one is compared with it. Another round becomes the landmark when the
// thread has done something since, for then it never comes back, and else after 1, 2, 4, ...
// rounds: so the landmark gets into any cycle, and stays there for the length of it (R. P. Brent,
// An improved Monte Carlo factorization algorithm, 1980).
class Landmark {
 public:
  // In the header, behind its phis: `differs` is not 0 if the thread has done something since the
  // round before began, or there was none; `values` are the phis that are compared.
  Landmark(llvm::IRBuilder<>& header, llvm::Value* differs, llvm::ArrayRef<llvm::PHINode*> values);

  // At the end of a round, on a way back to the header: whether the next round begins with the
  // values of this one, or of the landmark. (Nothing was done from the landmark to this round.)
  llvm::Value* reached(llvm::IRBuilder<>& way) const;

  // To be called when all ways back are there: what is carried over on them, and from elsewhere.
  void connect(llvm::ArrayRef<llvm::BasicBlock*> ways);

 private:
  llvm::PHINode* carry(llvm::IRBuilder<>& header, llvm::Type* type, const char* name);

  llvm::SmallVector<llvm::PHINode*, 4> values_;
  // Of the landmark, and with this round if that is the next landmark.
  llvm::SmallVector<llvm::PHINode*, 4> kept_values_;
  llvm::SmallVector<llvm::Value*, 4> landmark_values_;
  llvm::PHINode *age_, *life_;
  llvm::Value *next_age_, *next_life_;
};

}  // namespace heddle::pass
